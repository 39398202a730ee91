// Parses the options and arguments of a script: --help prints the usage, anything unknown is an error.
import { parseArgs } from 'node:util';

/**
 * `usage` is printed for --help. `options` are those of `parseArgs`; `words` are the names that
 * are allowed as arguments, or how many arguments of any kind are. Ends the process after --help and errors.
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
    if (unknown !== undefined) throw new Error(`'${unknown}' is not one of ${words.join(', ')}`);
  } catch (error) {
    process.stderr.write(`${error.message.split('. ', 1)[0]}; --help shows the usage\n`);
    process.exit(2);
  }
  if (parsed.values.help) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  return parsed;
}

/** Parses a count from an argument. */
export function readCount(word, otherwise) {
  if (word === undefined) return otherwise;
  if (/^[1-9]\d{0,8}$/.test(word)) return Number(word);
  process.stderr.write(`'${word}' is not a count; --help shows the usage\n`);
  process.exit(2);
}
