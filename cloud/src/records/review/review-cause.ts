/** Why a picture needs a person: its read, its visit without a plate, or a flag of its visit. */
export const REVIEW_CAUSES = [
  'unreadable',
  'unused-read',
  'no-visit',
  'marked',
  'need-plate',
  'uncertain-plate',
  'uncertain-permit',
  'blocklist-lookalike',
  'unreadable-plate',
] as const;
export type ReviewCause = (typeof REVIEW_CAUSES)[number];

export const PLATE_EFFECTS = ['visit-plate', 'visit-end', 'photo-only'] as const;
export type PlateEffect = (typeof PLATE_EFFECTS)[number];
