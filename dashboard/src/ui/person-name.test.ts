import { expect, it } from 'vitest';
import { personName } from './person-name.ts';

it.each([
  ['ana@example.com', 'ana@example.com'],
  ['ana@example.com (not verified)', 'ana@example.com'],
  ['ana@example.com (not verified, invited by bo@example.com)', 'ana@example.com'],
  ['token terraform', 'token terraform'],
])('shows %s as %s', (by, name) => {
  expect(personName(by)).toBe(name);
});
