/** Decides what a setting is: its name, its meaning, whether its value is secret, and how its text is read. */

/** One setting: what it is called, what it means, and how its text is read. */
export interface Setting<T = unknown> {
  readonly name: string;
  /** Default as shown in the documentation. */
  readonly default: string;
  readonly meaning: string;
  /** Its value is never shown, and may come from the file that `…_FILE` names. */
  readonly secret: boolean;
  /** Other programs know it in lower case, too: that form is read first, as they do. */
  readonly alsoLowerCase: boolean;
  /** @param text `undefined` when unset. @throws Error that says what the value must be */
  readonly read: (text: string | undefined) => T;
}

export function setting<T>(
  name: string,
  fallback: string,
  meaning: string,
  read: (text?: string) => T,
): Setting<T> {
  return { name, default: fallback, meaning, secret: false, alsoLowerCase: false, read };
}

/** A setting that many programs share, in capitals or in lower case. */
export function ofAllPrograms<T>(row: Setting<T>): Setting<T> {
  return { ...row, alsoLowerCase: true };
}

/** A setting whose value is or contains a password. */
export function confidential<T>(...row: Parameters<typeof setting<T>>): Setting<T> {
  return { ...setting(...row), secret: true };
}
