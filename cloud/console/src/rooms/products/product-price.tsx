import { Money } from '../../ui/money.tsx';
import { PRODUCT } from './product-words.ts';

/** The price of a unit. A product with a tariff has many prices, and no one to show. */
export function ProductPrice({
  product: { price, currency, config },
}: {
  product: { price: number; currency: string; config: { tariff?: unknown } };
}) {
  return config.tariff === undefined ? <Money amountMinor={price} currency={currency} /> : PRODUCT.tariff;
}
