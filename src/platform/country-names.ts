/** Decides which country codes are believed, and their English names. */

/** Codes of no country, or of none any longer: withdrawn, reserved for a group of countries, or "unknown" in some databases. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['AN', 'AP', 'EU', 'EZ', 'UN', 'ZZ']);

/** Made on first use, as it reads the names of all regions. */
let displayNames: Intl.DisplayNames | undefined;

/** Whether a code means a country or territory today: ISO 3166-1 alpha-2, or XK (Kosovo). */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) && nameOf(code) !== undefined;
}

/** The English name; empty when the code is not a country. */
export function countryName(code: string): string {
  return isCountry(code) ? (nameOf(code) ?? '') : '';
}

/** All codes that mean a country or territory, in order; of several for one, the one in use. */
export function countryCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => isCountry(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
}

function nameOf(code: string): string | undefined {
  displayNames ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return displayNames.of(code);
}
