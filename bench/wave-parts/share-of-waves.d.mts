export function shareOfWaves(folder: string): { readonly onPath: number; readonly behind: number };
