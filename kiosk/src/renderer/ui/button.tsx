import type { ReactNode } from 'react';

interface ButtonProps {
  kind?: 'primary' | 'secondary' | 'quiet';
  /** Pressed many times in a row on purpose. */
  repeats?: boolean;
  disabled?: boolean;
  className?: string;
  label?: string;
  pressed?: boolean;
  /** The popover that it opens, or closes. */
  popover?: { id: string; action: 'toggle' | 'hide' };
  onPress?: () => void;
  children: ReactNode;
}

/** A button for fingers: the second tap of a double tap does not hit what has just come up under it. */
export function Button(props: ButtonProps) {
  const { kind = 'secondary', repeats = false, disabled = false, onPress } = props;
  return (
    <button
      type="button"
      className={`button ${kind} ${props.className ?? ''}`}
      disabled={disabled}
      aria-label={props.label}
      aria-pressed={props.pressed}
      popoverTarget={props.popover?.id}
      popoverTargetAction={props.popover?.action}
      onClick={(event) => {
        if (repeats || event.detail <= 1) onPress?.();
      }}
    >
      {props.children}
    </button>
  );
}
