import { z } from 'zod';

export const VehicleCategorySchema = z.enum(['light', 'heavy']).meta({ id: 'VehicleCategory' });
export type VehicleCategory = z.infer<typeof VehicleCategorySchema>;
