/** Decides where the text of a setting comes from: its variable, or for a secret the file that `…_FILE` names. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A setting that cannot be used; the message is one line that says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface SettingSource {
  /** Value without white space around it; `undefined` when the setting is unset. */
  readonly text: string | undefined;
  /** Name of the setting in an error. */
  readonly name: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names the file of a secret setting. */
export function fileTwin(name: string): string {
  return `${name}_FILE`;
}

/** @throws ConfigError when both are set or the file cannot be used */
export function readSource(name: string, secret: boolean, environment: Environment): SettingSource {
  const text = textOf(environment, name);
  const twin = fileTwin(name);
  const path = secret ? textOf(environment, twin) : undefined;
  if (path === undefined) return { text, name };
  if (text !== undefined) throw new ConfigError(`${name} and ${twin} are both set: set one of them`);
  const content = readSecretFile(path, twin);
  // A secret that was never mounted must not start an installation with the default instead.
  if (content === '') throw new ConfigError(`${twin} names an empty file: ${resolve(path)}`);
  return { text: content, name: `the content of ${twin}` };
}

function readSecretFile(path: string, twin: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${twin} must be a file that can be read (${code}): ${resolve(path)}`);
  }
}

/** An empty variable counts as unset. */
function textOf(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}
