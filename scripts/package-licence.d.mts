export interface PackageLicence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

export function licenceOf(folder: string, data?: { readonly licence?: string }): PackageLicence;
