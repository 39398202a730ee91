import { describe, expect, it } from 'vitest';
import { createRedact } from './redact.ts';

describe('a redacted text', () => {
  it.each([
    [['sk_live_abc'], 'bad header Bearer sk_live_abc', 'bad header Bearer [redacted]'],
    [['jo@example.com'], 'no mail to JO@example.com, jo@example.com', 'no mail to [redacted], [redacted]'],
    [[' a+b@x.org\n', undefined, null, ''], 'a+b@x.org or a+b@x_org', '[redacted] or a+b@x_org'],
    [['203.0.113.7', '203.0.113.77'], 'from 203.0.113.77', 'from [redacted]'],
    [[], 'nothing to hide', 'nothing to hide'],
  ])('without %j', (secrets, text, shown) => {
    expect(createRedact(secrets)(text)).toBe(shown);
  });
});
