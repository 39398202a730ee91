/** Limits how many wait for a password hash: some of the places are reserved for known people. */

export interface PasswordPlaces {
  /** Takes a place; call the result to free it. `undefined` when there is none. */
  take(known: boolean): (() => void) | undefined;
}

export interface PasswordPlacesOptions {
  readonly maxPlaces: number;
  /** Of them, for those who have an open session, a known device or a link. */
  readonly forKnown: number;
}

export function createPasswordPlaces({ maxPlaces, forKnown }: PasswordPlacesOptions): PasswordPlaces {
  let taken = 0;
  return {
    take(known) {
      if (taken >= (known ? maxPlaces : maxPlaces - forKnown)) return undefined;
      taken += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        taken -= 1;
      };
    },
  };
}
