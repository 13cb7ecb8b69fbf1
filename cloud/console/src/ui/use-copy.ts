import { COMMON } from '../words/common.ts';
import { useToasts } from './toasts.tsx';

/** Copies a text to the clipboard, and says so. */
export function useCopy(): (text: string) => void {
  const toasts = useToasts();
  return (text) =>
    void navigator.clipboard.writeText(text).then(() => toasts.done(COMMON.copied), toasts.failed);
}
