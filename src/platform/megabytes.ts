/** How people are shown a size: in whole megabytes. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`;
}
