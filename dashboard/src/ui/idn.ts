/** Decides how an internationalized domain reads in its own letters (RFC 3492). */

const PREFIX = 'xn--';
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const MAX_CODE = 0x10ffff;

/**
 * `bücher.example` for `xn--bcher-kva.example`, also behind the `@` of an address; `undefined` if nothing in it is encoded, or
 * if the browser would not write those letters in the same way.
 */
export function readableDomain(text: string): string | undefined {
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at).toLowerCase();
  if (!domain.split('.').some((label) => label.startsWith(PREFIX))) return undefined;
  const labels = domain
    .split('.')
    .map((label) => (label.startsWith(PREFIX) ? decode(label.slice(4)) : label));
  if (labels.includes(undefined)) return undefined;
  const readable = labels.join('.');
  // Letters that no domain may have, such as invisible ones, do not lead back.
  if (!URL.canParse(`https://${readable}`) || new URL(`https://${readable}`).hostname !== domain)
    return undefined;
  return text.slice(0, at) + readable;
}

function decode(encoded: string): string | undefined {
  const end = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(0, end))].map((letter) => letter.codePointAt(0) as number);
  let [code, index, bias] = [FIRST_CODE, 0, FIRST_BIAS];
  for (let place = end + 1; place < encoded.length; ) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(encoded[place++]);
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(index - before, length, before === 0);
    code += Math.floor(index / length);
    if (!(code <= MAX_CODE)) return undefined;
    index %= length;
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

/** `a` to `z` are 0 to 25, `0` to `9` are 26 to 35. */
function digitOf(letter: string | undefined): number | undefined {
  if (letter === undefined || !/[a-z0-9]/.test(letter)) return undefined;
  return letter >= 'a' ? letter.charCodeAt(0) - 97 : letter.charCodeAt(0) - 48 + 26;
}
