// The options and words that a script was given: with --help it prints how it is used, and what it does not know it refuses.
import { parseArgs } from 'node:util';

/**
 * `usage` is printed for --help, and named for what is wrong. `options` are those of `parseArgs`; `words` are the names that
 * may be given besides, or a number of any words. Ends the process where there is nothing to do.
 */
export function readOptions(usage, { options = {}, words = 0 } = {}) {
  let parsed;
  try {
    parsed = parseArgs({
      options: { help: { type: 'boolean', default: false }, ...options },
      allowPositionals: true,
    });
    const maxPositionals = Array.isArray(words) ? words.length : words;
    if (!parsed.values.help && parsed.positionals.length > maxPositionals)
      throw new Error(`unexpected argument '${parsed.positionals[maxPositionals]}'`);
    const unknown = Array.isArray(words)
      ? parsed.positionals.find((word) => !words.includes(word))
      : undefined;
    if (unknown !== undefined) throw new Error(`'${unknown}' is none of ${words.join(', ')}`);
  } catch (error) {
    process.stderr.write(`${error.message.split('. ', 1)[0]}; --help shows what there is\n`);
    process.exit(2);
  }
  if (parsed.values.help) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  return parsed;
}

/** A count that was given as a word. */
export function readCount(word, otherwise) {
  if (word === undefined) return otherwise;
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word);
  process.stderr.write(`'${word}' is no count; --help shows what there is\n`);
  process.exit(2);
}
