export interface ProductionPackage {
  readonly path: string;
  readonly binaryOf: string | undefined;
}

export function productionPackages(lock: { readonly packages: Record<string, unknown> }): ProductionPackage[];
