/** Reserves a chart's space, and offers its numbers as a table for people who cannot see it or want to copy them. */
import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, Suspense, useId, useState } from 'react';
import { Link } from 'wouter';
import styles from './chart-frame.module.css';

export interface ChartFrameProps {
  /** One sentence on what the chart shows. */
  readonly label: string;
  readonly height: number;
  readonly loading?: boolean;
  /** The chart itself is accessible by keyboard and screen reader; otherwise only its table is. */
  readonly operable?: boolean;
  readonly table: {
    readonly heads: readonly string[];
    readonly rows: readonly (readonly (string | number)[])[];
    /** The link of each row's head. */
    readonly hrefs?: readonly string[];
    /** The links of each row's numbers, in their order. */
    readonly cellHrefs?: readonly (readonly string[])[];
  };
  readonly children: ReactNode;
}

export function ChartFrame({
  label,
  height,
  loading = false,
  operable = false,
  table,
  children,
}: ChartFrameProps) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const hold = <Skeleton height={height} radius={6} />;
  return (
    <figure className={styles.frame} aria-label={label}>
      <div style={{ height }} aria-hidden={!operable}>
        {loading ? hold : <Suspense fallback={hold}>{children}</Suspense>}
      </div>
      <div className={styles.foot}>
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={shown}
          aria-controls={id}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide table' : 'Show as table'}
        </Button>
      </div>
      <div id={id} className={shown ? styles.table : 'gh-hidden'} tabIndex={shown ? 0 : undefined}>
        <table>
          <caption className="gh-hidden">{label}</caption>
          <thead>
            <tr>
              {table.heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(([first, ...rest], row) => (
              <tr key={String(first)}>
                <th scope="row">
                  {/* Hidden links would be stops that nobody sees. */}
                  <Linked href={shown ? table.hrefs?.[row] : undefined}>{first}</Linked>
                </th>
                {rest.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells stand by column
                  <td key={index}>
                    <Linked href={shown ? table.cellHrefs?.[row]?.[index] : undefined}>{cell}</Linked>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function Linked({ href, children }: { href: string | undefined; children: ReactNode }) {
  return href === undefined ? children : <Link href={href}>{children}</Link>;
}
