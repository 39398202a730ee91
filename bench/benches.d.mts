export const BENCHES: Readonly<Record<string, { readonly file: string; readonly what: string }>>;
