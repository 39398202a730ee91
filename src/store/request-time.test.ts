import { expect, it } from 'vitest';
import { firstIdAt, monthOfId, timeOfId } from './request-time.ts';

const REST = '0123456789abcdef';
const idAt = (at: number) => `${firstIdAt(at)}${REST}`;

it('reads the time from an id, and from no other text', () => {
  const at = Date.UTC(2026, 4, 10, 10, 14, 33, 7);
  expect(timeOfId(idAt(at))).toBe(at);
  for (const other of ['', 'req_', idAt(at).slice(1), `${idAt(at)}0`, idAt(at).toUpperCase()])
    expect(timeOfId(other)).toBeUndefined();
});

it('gives the month of ids in any order, exact to the millisecond', () => {
  const months = ['2026-04', '2026-05', '2026-06', '2027-01', '1970-01', '9999-12'];
  const edges = months.flatMap((month) => {
    const [year = 0, number = 0] = month.split('-').map(Number);
    return [Date.UTC(year, number - 1), Date.UTC(year, number) - 1].map((at) => ({ month, at }));
  });
  for (const first of edges)
    for (const second of edges) {
      expect(monthOfId(idAt(first.at))).toBe(first.month);
      expect(monthOfId(idAt(second.at))).toBe(second.month);
    }
});

it('gives no month for other text, or for an id far in the future', () => {
  for (const id of ['x', idAt(Date.UTC(10_000, 0)), idAt(2 ** 48 - 1)]) expect(monthOfId(id)).toBeUndefined();
});
