export interface View {
  readonly name: string;
  /** From the root; `:account` and `:blocked` are for the caller to fill in. */
  readonly path: string;
  /** Opens without signing in. */
  readonly isPublic: boolean;
  readonly hasTable: boolean;
}

export const VIEWS: readonly View[];
