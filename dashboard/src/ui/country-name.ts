/** Writes a country by its name. */

/** `Germany`; the code itself where nobody knows a name for it. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
