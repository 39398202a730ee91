/** Writes a country by its name. */

/** `Germany`; the code itself if the browser knows no name. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
