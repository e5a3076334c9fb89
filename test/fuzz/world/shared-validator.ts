import { canonicalJson, type JsonSchemaValidator } from "@toolrail/core/json";
import { createValidator } from "../../../packages/core/src/json/validator.ts";

const validator = createValidator();
const compiled = new Map<string, ReturnType<JsonSchemaValidator["getValidator"]>>();

/** The validator of Node, which compiles a schema once for all hosts of a fuzz: compiling would take most of the time. */
export const sharedValidator: JsonSchemaValidator = {
  getValidator(schema) {
    const key = canonicalJson(schema);
    const validate = compiled.get(key) ?? validator.getValidator(schema);
    compiled.set(key, validate);
    return validate;
  },
};
