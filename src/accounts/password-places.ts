/** Decides who may wait for the hashing of a password: few at once, and strangers leave some places to people who are known. */

export interface PasswordPlaces {
  /** A place, to be left when the hash is there; `undefined` when there is none. */
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
