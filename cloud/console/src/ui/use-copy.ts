import { COMMON } from '../words/common.ts';
import { useToasts } from './toasts.tsx';

/** Copies a text to the clipboard and shows a notice. */
export function useCopy(): (text: string) => void {
  const toasts = useToasts();
  return (text) => void copy(text).then(() => toasts.done(COMMON.copied), toasts.failed);
}

/** Copies a text. Without TLS, under another name than localhost, browsers have only the old way. */
async function copy(text: string): Promise<void> {
  if ('clipboard' in navigator) return await navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // The element goes into an open dialog, which holds the focus.
  (document.activeElement?.parentElement ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
