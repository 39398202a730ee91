export function shareOfWaves(folder: string): number;
