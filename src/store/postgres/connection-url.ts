/** Decides how the driver is to read a database's URL: each mode of TLS that checks something checks the certificate whole, as it always has. */

const CHECKING_MODE = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;
const LIBPQ_MEANING = /[?&]uselibpqcompat=true(?=&|$)/;

/**
 * The driver takes these modes for `verify-full`, and warns at length that it will not always do so. Naming what is meant
 * keeps the meaning and needs no warning. A URL that asks for the meaning of libpq keeps it.
 */
export function driverUrl(url: string): string {
  return LIBPQ_MEANING.test(url) ? url : url.replace(CHECKING_MODE, '$1verify-full');
}
