/** Settings of Next.js that differ from its defaults. */
import type { NextConfig } from 'next';

// Next.js would take the repository above this example for the project.
const config: NextConfig = { turbopack: { root: import.meta.dirname }, poweredByHeader: false };

export default config;
