import { X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { Group } from 'react-aria-components';
import { sayFailure } from '../calls/refusal-words.ts';
import { COMMON } from '../words/common.ts';
import { Button, IconButton } from './button.tsx';

interface Toast {
  id: number;
  text: string;
  isFailure: boolean;
  /** The inverse call. */
  undo: (() => Promise<unknown>) | null;
}

interface Toasts {
  done(text: string, undo?: () => Promise<unknown>): void;
  failed(error: unknown): void;
}

const ToastContext = createContext<Toasts | null>(null);

/** How long an act can be undone by its notice. */
const UNDO_MS = 10_000;
const SHOWN_MS = 5000;

/** Short notices of what was done, at the bottom of the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const next = useRef(1);

  const remove = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const add = useCallback((toast: Omit<Toast, 'id'>) => {
    const id = next.current++;
    setToasts((all) => [...all.slice(-2), { id, ...toast }]);
  }, []);
  const failed = useCallback(
    (error: unknown) => add({ text: sayFailure(error).join(' '), isFailure: true, undo: null }),
    [add],
  );
  const done = useCallback(
    (text: string, undo?: () => Promise<unknown>) => add({ text, isFailure: false, undo: undo ?? null }),
    [add],
  );

  const takeBack = ({ id, undo }: Toast) => {
    remove(id);
    undo?.().then(() => done(COMMON.undone), failed);
  };

  return (
    <ToastContext value={{ done, failed }}>
      {children}
      <section className="toasts" aria-live="polite" aria-relevant="additions">
        {toasts.map((toast) => (
          <Notice key={toast.id} toast={toast} onEnd={remove} onUndo={takeBack} />
        ))}
      </section>
    </ToastContext>
  );
}

interface NoticeProps {
  toast: Toast;
  onEnd: (id: number) => void;
  onUndo: (toast: Toast) => void;
}

/** A notice. It stays while the pointer or the focus is on it: a slow reader loses no undo (WCAG 2.2.1). */
function Notice(props: NoticeProps) {
  const { text, isFailure } = props.toast;
  return (
    <Group className={isFailure ? 'toast negative' : 'toast'} aria-label={text}>
      {({ isHovered, isFocusWithin }) => <NoticeContent {...props} isHeld={isHovered || isFocusWithin} />}
    </Group>
  );
}

function NoticeContent({ toast, isHeld, onEnd, onUndo }: NoticeProps & { isHeld: boolean }) {
  const { id, text, undo } = toast;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => onEnd(id), undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, id, undo, onEnd]);
  return (
    <>
      <span>{text}</span>
      {undo && (
        <Button look="quiet" onPress={() => onUndo(toast)}>
          {COMMON.undo}
        </Button>
      )}
      <IconButton label={COMMON.close} onPress={() => onEnd(id)}>
        <X size={14} />
      </IconButton>
    </>
  );
}

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext);
  if (toasts === null) throw new Error('There is no ToastProvider above.');
  return toasts;
}
