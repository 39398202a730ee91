/** Groups of the sidebar; pages are paths from the root of the repository. */
export function sitePages(): { text: string; pages: string[] }[];
