/** Keeps a page that failed from taking the frame with it. */
import { Component, type ReactNode } from 'react';
import { ErrorState } from '../ui/error-state.tsx';

export class ErrorBoundary extends Component<
  { children: ReactNode; place?: string },
  { error: Error | null }
> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  /** Another place is shown afresh; what did not fail is kept, such as a list beside the details opened from it. */
  override componentDidUpdate({ place }: { place?: string }): void {
    if (place !== this.props.place && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    // Also how a page shows itself whose files an update has replaced: loading it anew mends that.
    const error = Object.assign(new Error('This page could not be shown.'), {
      resolution: `Load the page again. If it still fails, report this: ${this.state.error.message}`,
    });
    return <ErrorState error={error} onRetry={() => window.location.reload()} />;
  }
}
