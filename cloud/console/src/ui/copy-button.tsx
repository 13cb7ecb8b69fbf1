import { Copy } from 'lucide-react';
import { COMMON } from '../words/common.ts';
import { IconButton } from './button.tsx';
import { useToasts } from './toasts.tsx';

/** Copies a text that is shown beside it. @param label says what is copied */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const toasts = useToasts();
  const copy = () =>
    navigator.clipboard.writeText(value).then(() => toasts.done(COMMON.copied), toasts.failed);
  return (
    <IconButton label={label} onPress={() => void copy()}>
      <Copy size={14} aria-hidden="true" />
    </IconButton>
  );
}
