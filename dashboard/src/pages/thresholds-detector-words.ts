/** Writes a detector's name for people. */
import { capitalized } from '../ui/format.ts';

/** `disposable_domain` → `Disposable domain` */
export function wordsOf(detector: string): string {
  return capitalized(detector.replaceAll('_', ' ').replace(/\b(ip|mx|vpn)\b/g, (name) => name.toUpperCase()));
}
