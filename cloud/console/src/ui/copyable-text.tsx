import { Copy } from 'lucide-react';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';
import { useToasts } from './toasts.tsx';

/** What is shown only once, to be copied. */
export function Secret({ label, value }: { label: string; value: string }) {
  const toasts = useToasts();
  const copy = () =>
    navigator.clipboard.writeText(value).then(() => toasts.done(COMMON.copied), toasts.failed);
  return (
    <div className="field">
      <span className="label">{label}</span>
      <code className="shown-secret">{value}</code>
      <Button onPress={() => void copy()}>
        <Copy size={14} aria-hidden="true" /> {COMMON.copy}
      </Button>
    </div>
  );
}
