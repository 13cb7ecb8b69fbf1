import type { ReactNode } from 'react';

/** A part of the editor under its heading. */
export function TariffSection({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="form tariff-section">
      <legend>{title}</legend>
      {hint !== undefined && <p className="quiet-text">{hint}</p>}
      {children}
    </fieldset>
  );
}
