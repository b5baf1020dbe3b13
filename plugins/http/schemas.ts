import compileSchemas from '@fastify/ajv-compiler'

// One for all applications of a process, of which the tests start hundreds.
const validators = compileSchemas()

/**
 * Compiles the schema of a route when its first request comes. Compiling all of them took a tenth of a start, and
 * commands and tests need few or none.
 */
export const buildValidator: typeof validators = (schemas, options) => {
  const compile = validators(schemas, options)
  const compileLater = (route: Parameters<typeof compile>[0]) => {
    let validate: ReturnType<typeof compile> | undefined
    const validateLater = (data: unknown) => {
      validate ??= compile(route)
      const isValid = validate(data)
      validateLater.errors = validate.errors
      return isValid
    }
    validateLater.errors = undefined as ReturnType<typeof compile>['errors']
    return validateLater
  }
  return compileLater as typeof compile
}
