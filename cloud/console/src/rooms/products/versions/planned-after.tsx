import type { ShownProduct as Product } from '@hlid/cloud/money/products/product';
import { dayText } from '../../../ui/wall-text.ts';
import { VERSION } from './version-words.ts';
import { WithdrawButton } from './withdraw-button.tsx';

/** The versions that are planned for a later day and replace the saved one then. */
export function PlannedAfter({
  product,
  day,
  onWithdrawn,
}: {
  product: Product;
  day: string;
  onWithdrawn: () => void;
}) {
  const later = product.planned.filter(({ validFrom }) => validFrom > day);
  if (later.length === 0) return null;
  return (
    <div className="notice caution" role="status">
      <ul>
        {later.map(({ version, validFrom }) => (
          <li key={version} className="row-acts">
            <span>{VERSION.willReplace({ day: dayText(validFrom), version })}</span>
            <WithdrawButton
              productId={product.id}
              version={version}
              validFrom={validFrom}
              onWithdrawn={onWithdrawn}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
