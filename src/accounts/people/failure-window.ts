/** Counts failed attempts in a sliding window, exactly: what is under way counts as failed until it succeeds. */

export interface FailureWindow {
  /** Takes one try of each name. Refused when one of them has none left; then nothing is taken. */
  begin(names: readonly string[], now: number): Attempt | { readonly retryAt: number };
  /** Forgets what failed under a name. */
  forget(name: string): void;
}

export interface Attempt {
  /** Gives the tries back. */
  succeeded(): void;
}

export interface FailureWindowOptions {
  readonly most: number;
  readonly windowMs: number;
}

/** Names kept at most; whoever adds beyond them pushes the one out that began longest ago. */
const MOST_NAMES = 100_000;

export function createFailureWindow({ most, windowMs }: FailureWindowOptions): FailureWindow {
  const failures = new Map<string, number[]>();

  /** What of a name still counts, oldest first. */
  function current(name: string, now: number): number[] {
    const times = failures.get(name) ?? [];
    const gone = times.findIndex((at) => at > now - windowMs);
    return times.slice(gone < 0 ? times.length : gone);
  }

  function take(name: string, now: number): void {
    const times = [...current(name, now), now];
    failures.delete(name);
    failures.set(name, times);
    if (failures.size > MOST_NAMES) failures.delete(failures.keys().next().value as string);
  }

  function giveBack(name: string, at: number): void {
    const times = failures.get(name) ?? [];
    const place = times.indexOf(at);
    if (place >= 0) times.splice(place, 1);
    if (times.length === 0) failures.delete(name);
  }

  return {
    begin(names, now) {
      const full = names.map((name) => current(name, now)).filter((times) => times.length >= most);
      if (full.length > 0) {
        const free = full.map((times) => (times[times.length - most] as number) + windowMs);
        return { retryAt: Math.max(...free) };
      }
      for (const name of names) take(name, now);
      return {
        succeeded() {
          for (const name of names) giveBack(name, now);
        },
      };
    },
    forget: (name) => void failures.delete(name),
  };
}
