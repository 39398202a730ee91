import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RULES } from './policy.ts';

const scoring = readFileSync(new URL('../../docs/scoring.md', import.meta.url), 'utf8');

describe('docs/scoring.md', () => {
  it.each(RULES)('has the weight and the reason of $detector', ({ detector, code, weight, rationale }) => {
    expect(scoring).toContain(`| \`${detector}\` | \`${code}\` | ${weight} | ${rationale} |`);
  });

  it('names no detector that does not exist', () => {
    const documented = [...scoring.matchAll(/^\| `(\w+)` \| `\w+` \| \d+ \|/gm)].map(
      ([, detector]) => detector,
    );
    expect(documented).toEqual(RULES.map(({ detector }) => detector));
  });
});
