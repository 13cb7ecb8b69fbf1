import { read } from '../../calls/api.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import type { ProductInput } from './product-form.ts';
import { productApi } from './products-page.tsx';

/** Creates a product, which holds at once. */
export function useCreateProduct(onDone: (product: { id: string }) => void) {
  return useSubmit(
    ({ names, window, tariff, ...json }: ProductInput, headers) => {
      const name = Object.fromEntries(
        Object.entries(names).filter((one): one is [string, string] => one[1] !== null),
      );
      const config = { ...window, ...(tariff && { tariff }) };
      return read(productApi.products.$post({ json: { ...json, name, config } }, { headers }));
    },
    { invalidates: [['products'], ['opening']], onDone },
  );
}
