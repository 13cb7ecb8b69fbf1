import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps, Tooltip, TooltipTrigger } from 'react-aria-components';

interface Props extends Omit<ButtonProps, 'children' | 'className'> {
  children: ReactNode;
  /** `primary`: the one act of a screen. `quiet`: without a border. `negative`: it cannot be taken back. */
  look?: 'primary' | 'plain' | 'quiet' | 'negative';
}

export function Button({ look = 'plain', ...props }: Props) {
  return <AriaButton {...props} className={`button ${look}`} />;
}

/** A button that is an icon; its name is a tooltip. */
export function IconButton({ label, children, ...props }: Props & { label: string }) {
  return (
    <TooltipTrigger delay={400}>
      <AriaButton {...props} aria-label={label} className="button icon">
        {children}
      </AriaButton>
      <Tooltip className="tooltip">{label}</Tooltip>
    </TooltipTrigger>
  );
}
