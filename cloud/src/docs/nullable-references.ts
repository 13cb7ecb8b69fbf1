/**
 * Says of a schema that is named elsewhere or null that it is so. The generator writes `allOf` of the reference and a
 * type with null, which nothing that is null can satisfy.
 */
export function nullableReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullableReferences);
  if (!isObject(value)) return value;
  const fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, nullableReferences(field)]),
  );
  const { allOf, ...rest } = fields;
  if (!Array.isArray(allOf) || allOf.length !== 2) return fields;
  const [reference, more]: unknown[] = allOf;
  if (!isObject(reference) || !isObject(more) || typeof reference['$ref'] !== 'string') return fields;
  const { type, ...others } = more;
  if (!Array.isArray(type) || !type.includes('null')) return fields;
  return { ...rest, ...others, anyOf: [reference, { type: 'null' }] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
