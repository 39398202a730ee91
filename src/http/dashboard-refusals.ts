/** Refuses values of a request that cannot be used. */
import { Problem } from '../contract/problem.ts';

/** `sentence` says what is wrong; `resolution` what to send instead. */
export function unusable(param: string, sentence: string, resolution: string): Problem {
  return new Problem('invalid_value', param, { message: sentence, resolution });
}

/** @throws Problem `invalid_value` unless `value` is one of `values` */
export function oneOf<const T extends string>(
  values: readonly T[],
  param: string,
  value: string | undefined,
  otherwise?: T,
): T {
  const chosen = value ?? otherwise;
  const known = values.find((candidate) => candidate === chosen);
  if (known !== undefined) return known;
  throw unusable(param, `\`${param}\` is not one of its values.`, `Send one of ${values.join(', ')}.`);
}

/** Reads a one-line text for people: 1 to `maxLength` printable characters, trimmed. @throws Problem `invalid_value` */
export function lineOf(param: string, input: string, maxLength = 200): string {
  const text = input.trim();
  if (text !== '' && text.length <= maxLength && !/\p{C}/u.test(text)) return text;
  throw unusable(param, `\`${param}\` cannot be used.`, `Send 1 to ${maxLength} printable characters.`);
}
