import { Copy } from 'lucide-react';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';
import { useCopy } from './use-copy.ts';

/** A text to copy, such as a secret or a command. */
export function CopyableText({ label, value }: { label: string; value: string }) {
  const copy = useCopy();
  return (
    <div className="field">
      <span className="label">{label}</span>
      <code className="copyable-text">{value}</code>
      <Button onPress={() => copy(value)}>
        <Copy size={14} aria-hidden="true" /> {COMMON.copy}
      </Button>
    </div>
  );
}
