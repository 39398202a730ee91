/** Writes a detector's name for people. */

/** `disposable_domain` → `Disposable domain` */
export function wordsOf(detector: string): string {
  const words = detector.replaceAll('_', ' ').replace(/\b(ip|mx|vpn)\b/g, (name) => name.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
