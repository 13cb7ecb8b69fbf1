import { Copy } from 'lucide-react';
import { IconButton } from './button.tsx';
import { useCopy } from './use-copy.ts';

/** Copies a text that is shown beside it. @param label names what is copied */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const copy = useCopy();
  return (
    <IconButton label={label} onPress={() => copy(value)}>
      <Copy size={14} aria-hidden="true" />
    </IconButton>
  );
}
