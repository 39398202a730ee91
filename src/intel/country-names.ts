/** Decides which country codes are believed, and their English names. */

/** Not countries, or no longer: withdrawn, reserved for a group of countries, or "unknown" in some databases. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['AN', 'AP', 'EU', 'EZ', 'UN', 'ZZ']);

const displayNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether a code means a country or territory today: ISO 3166-1 alpha-2, or XK (Kosovo). */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) && displayNames.of(code) !== undefined;
}

/** The English name; empty when the code is not a country. */
export function countryName(code: string): string {
  return isCountry(code) ? (displayNames.of(code) ?? '') : '';
}
