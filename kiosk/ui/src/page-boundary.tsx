import { Component, type ReactNode } from 'react';

interface PageBoundaryProps {
  /** The content that replaces a page that cannot be drawn. */
  fallback: ReactNode;
  /** Called once for each failure. */
  onFailure?: () => void;
  children: ReactNode;
}

/** Shows something to press in place of a page that failed: a white page helps no driver. */
export class PageBoundary extends Component<PageBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(): void {
    this.props.onFailure?.();
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
