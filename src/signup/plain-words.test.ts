import { describe, expect, it } from 'vitest';
import { ordinaryEvidence } from '../../test/support/any-evidence.ts';
import { plainAnswerOf } from './plain-words.ts';
import { RULES } from './policy.ts';

const DETECTORS = [...RULES.map(({ detector }) => detector), 'deny_list'];
/** Words that only people who know the product understand. */
const JARGON = /_|\bscore|\bpoints?\b|threshold|velocity|weight|MX\b|detector|AS\d|\bIP\b/i;

describe('the plain answer', () => {
  it.each(DETECTORS)('for %s has no name of a detector and no score', (detector) => {
    const evidence = ordinaryEvidence({ email: { domain: 'gmial.com', providerMeant: 'gmail.com' } });
    for (const verdict of ['challenge', 'block'] as const) {
      const { answer, advice } = plainAnswerOf(evidence, [{ detector }], verdict);
      expect(answer).toMatch(/^They were .+, because .+\.$/);
      expect(advice).toMatch(/^Our signup check .+\. Please .+[.?]$/);
      expect(`${answer} ${advice}`).not.toMatch(JARGON);
    }
  });

  it('says what was mistyped, and that nothing stopped who came in', () => {
    const evidence = ordinaryEvidence({ email: { domain: 'gmial.com', providerMeant: 'gmail.com' } });
    expect(plainAnswerOf(evidence, [{ detector: 'typing_mistake' }], 'challenge')).toEqual({
      answer:
        'They were asked to confirm that they are a person, because the address looks mistyped: gmial.com instead of gmail.com.',
      advice:
        'Our signup check asked you for one more step. Please check the spelling of your address: did you mean gmail.com?',
    });
    expect(plainAnswerOf(evidence, [{ detector: 'vpn' }], 'allow').answer).toContain('They were let in');
  });
});
