/** The time as the header `Date` has it. */
import { lastValue } from '../../platform/last-value.ts';

const dateOf = lastValue((second) => new Date(second * 1000).toUTCString());

export function httpDate(): string {
  return dateOf(Math.floor(Date.now() / 1000));
}
