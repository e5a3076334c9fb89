import { createValidator, type JsonSchemaValidator } from "@toolrail/core";

/**
 * A validator that checks everything but the arguments of tools: a host with it sends what a server is
 * to refuse. `isInput` says which schemas are those of arguments.
 */
export function createLenientValidator(isInput: (schema: object) => boolean): JsonSchemaValidator {
  const strict = createValidator();
  return {
    getValidator(schema) {
      if (!isInput(schema)) return strict.getValidator(schema);
      return (data) => ({ valid: true, data, errorMessage: undefined });
    },
  };
}
