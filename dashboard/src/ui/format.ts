/** Decides how numbers, lengths of time, countries and words are written on all pages: words in English, figures as the reader's browser writes them. */

/** Language and region of the browser: `de`, `en-US`, `ar-EG`. Tests of the service have none. */
export const LOCALE = globalThis.navigator?.language ?? 'en-US';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const { grouped, pluralize, short, money, percent, milliseconds } = createNumbers(LOCALE);

/** How a locale writes numbers. */
export function createNumbers(locale: string) {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const oneDecimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const smallShare = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });

  /** `12,345` */
  const grouped = (value: number): string => whole.format(value);
  return {
    grouped,
    /** `1 signup`, `12,345 signups` */
    pluralize: (count: number, singular: string, plural = `${singular}s`): string =>
      `${grouped(count)} ${count === 1 ? singular : plural}`,
    /** `12.3K`, for axes and narrow columns. */
    short: (value: number): string => compact.format(value),
    /** `$12.30` */
    money: (value: number): string => dollars.format(value),
    /** A share of a whole: `12%`, `0.4%`, `< 0.1%`; never more digits than are meaningful. */
    percent(part: number, of: number): string {
      if (of === 0) return share.format(0);
      const value = part / of;
      if (part > 0 && value < 0.001) return `< ${smallShare.format(0.001)}`;
      if (part < of && value > 0.999) return `> ${smallShare.format(0.999)}`;
      // All but a few are not 100%.
      return (value < 0.1 || (part < of && value > 0.99) ? smallShare : share).format(value);
    },
    /** `4 ms`, `1.2 s` */
    milliseconds(value: number): string {
      if (value >= 1000) return `${oneDecimal.format(value / 1000)} s`;
      return `${(value < 10 ? tenths : whole).format(value)} ms`;
    },
  };
}

/** `45 s`, `5 min`, `3 h`, `2 d`: the largest unit alone. */
export function duration(seconds: number): string {
  if (seconds < MINUTE) return `${grouped(seconds)} s`;
  if (seconds < HOUR) return `${grouped(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${grouped(seconds / HOUR)} h`;
  return `${grouped(seconds / DAY)} d`;
}

/** `Germany`; the code itself if the browser knows no name. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
