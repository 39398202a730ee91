import { describe, expect, it } from 'vitest';
import { shownFeedUrl } from './dashboard-intelligence.ts';

describe('the URL of a feed', () => {
  it.each([
    ['https://lists.example/a.txt', 'https://lists.example/a.txt'],
    ['https://lists.example:8443/a?id=7&auth=T0KEN', 'https://lists.example:8443/a?id=***&auth=***'],
    ['https://jo:T0KEN@lists.example/a#T0KEN', 'https://lists.example/a'],
    ['https://lists.example/a?T0KEN', 'https://lists.example/a?***'],
    ['T0KEN', ''],
  ])('%s is shown to operators as %s', (url, shown) => {
    expect(shownFeedUrl(url, true)).toBe(shown);
  });

  it.each([
    ['https://jo:T0KEN@lists.example:8443/T0KEN?T0KEN=T0KEN#T0KEN', 'https://lists.example:8443'],
    ['T0KEN', ''],
  ])('%s is shown to everybody else as %s', (url, shown) => {
    expect(shownFeedUrl(url, false)).toBe(shown);
  });
});
