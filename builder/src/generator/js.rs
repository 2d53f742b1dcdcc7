//! What a configuration written in JavaScript or TypeScript says in plain literals.
//!
//! Nothing is run. The file is parsed (by `oxc_parser`, the one JavaScript parser in Rust with TypeScript and monthly releases), its
//! default export is followed through names, wrappers such as `defineConfig(…)` and relative imports, and every literal on the way becomes
//! a value as front matter has them. A call is a table with the keys [`CALL`] and [`ARGUMENTS`]; what would have to be run is left out and named.
//!
//! `const title = 'Tea'; export default defineConfig({title, base: process.env.BASE})` is `title: Tea`, and `base` is named as not read.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, ArrayExpressionElement, ArrowFunctionBody, BindingPattern, Declaration,
    ExportDefaultDeclarationKind, Expression, FunctionBody, ImportDeclarationSpecifier,
    ModuleExportName, ObjectPropertyKind, Program, PropertyKey, Statement,
};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};

use crate::front_matter::{Entry, Node, Scalar, Value};

/// The key of a call's own name.
pub(crate) const CALL: &str = "$call";
/// The key of the list of a call's arguments.
pub(crate) const ARGUMENTS: &str = "$arguments";

/// How many names, files and wrappers are followed in a row.
const DEEPEST: usize = 24;

/// Gives the text and the name of the file that another imports: the importing file's name, and what it writes.
type Import<'i> = dyn Fn(&str, &str) -> Option<(String, String)> + 'i;

/// What a configuration says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Literals {
    /// What could be read.
    pub map: Vec<Entry>,
    /// The dotted paths of what could not, with their lines.
    pub unread: Vec<(String, u32)>,
    /// Calls of methods on the argument of the exported function, such as `eleventyConfig.setInputDirectory("src")`: the method's name,
    /// what could be read of the arguments, the line.
    pub calls: Vec<(String, Vec<Node>, u32)>,
}

/// Reads the text of a configuration. `name` tells TypeScript from JavaScript. `import` gives the text and name of a relative import.
///
/// # Errors
/// The first syntax error, in the parser's words, with its line.
pub(crate) fn literals(
    text: &str,
    name: &str,
    import: &Import<'_>,
) -> Result<Literals, (String, u32)> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, source_type(name)).parse();
    if let Some(error) = parsed.diagnostics.iter().next()
        && parsed.program.body.is_empty()
    {
        let at = error.labels.first().map_or(0, |label| label.offset());
        return Err((error.message.to_string(), line_of(text, at as usize)));
    }
    let module = Module {
        text,
        name,
        program: &parsed.program,
        import,
    };
    let mut out = Literals::default();
    let mut path = Vec::new();
    if let Some(node) = module.exported("default", &mut path, &mut out, 0)
        && let Value::Map(map) = node.value
    {
        out.map = map;
    }
    // Eleventy's function may leave the settings to an export of this name.
    if let Some(node) = module.exported("config", &mut path, &mut out, 0)
        && let Value::Map(map) = node.value
    {
        out.map.extend(map);
    }
    Ok(out)
}

/// The literals of JavaScript front matter: an object, or constants, each of which is a key. What cannot be read is left out.
pub(crate) fn exported(block: &str) -> Vec<Entry> {
    let none = |_: &str, _: &str| None;
    let is_object = block.trim_start().starts_with('{');
    let text = match is_object {
        true => format!("export default {block}"),
        false => {
            let allocator = Allocator::default();
            let parsed = Parser::new(&allocator, block, SourceType::ts()).parse();
            let mut names = Vec::new();
            for statement in &parsed.program.body {
                let declared = match statement {
                    Statement::VariableDeclaration(declared) => declared,
                    Statement::ExportDeclaration(export) => match &export.declaration {
                        Declaration::VariableDeclaration(declared) => declared,
                        _ => continue,
                    },
                    _ => continue,
                };
                for variable in &declared.declarations {
                    if let BindingPattern::BindingIdentifier(id) = &variable.id {
                        names.push(id.name.to_string());
                    }
                }
            }
            format!("{block}\nexport default {{ {} }}", names.join(", "))
        }
    };
    literals(&text, "front-matter.ts", &none).map_or_else(|_| Vec::new(), |found| found.map)
}

fn source_type(name: &str) -> SourceType {
    SourceType::from_path(name).unwrap_or_else(|_| SourceType::ts())
}

fn line_of(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    u32::try_from(before.iter().filter(|b| **b == b'\n').count() + 1).unwrap_or(u32::MAX)
}

/// One parsed file.
struct Module<'m> {
    text: &'m str,
    name: &'m str,
    program: &'m Program<'m>,
    import: &'m Import<'m>,
}

impl<'m> Module<'m> {
    fn line(&self, spanned: &impl GetSpan) -> u32 {
        line_of(self.text, spanned.span().start as usize)
    }

    /// What is exported under a name.
    fn exported(
        &self,
        wanted: &str,
        path: &mut Vec<String>,
        out: &mut Literals,
        depth: usize,
    ) -> Option<Node> {
        for statement in &self.program.body {
            match statement {
                Statement::ExportDefaultDeclaration(export) if wanted == "default" => {
                    return match &export.declaration {
                        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                            self.function(function.body.as_deref(), path, out, depth + 1)
                        }
                        other => self.value(other.as_expression()?, path, out, depth + 1),
                    };
                }
                Statement::ExportDeclaration(export) => {
                    if let Declaration::VariableDeclaration(declared) = &export.declaration {
                        for variable in &declared.declarations {
                            if is_named(&variable.id, wanted)
                                && let Some(init) = &variable.init
                            {
                                return self.value(init, path, out, depth + 1);
                            }
                        }
                    }
                }
                Statement::ExportFromDeclaration(export) => {
                    for specifier in &export.specifiers {
                        if export_name(&specifier.exported) == wanted {
                            let local = export_name(&specifier.local).to_owned();
                            return self.imported(
                                &export.source.value,
                                &local,
                                path,
                                out,
                                depth + 1,
                            );
                        }
                    }
                }
                Statement::ExportNamedDeclaration(export) => {
                    for specifier in &export.specifiers {
                        if export_name(&specifier.exported) == wanted {
                            let local = export_name(&specifier.local).to_owned();
                            return self.named(&local, path, out, depth + 1);
                        }
                    }
                }
                Statement::ExpressionStatement(expression) if wanted == "default" => {
                    if let Expression::AssignmentExpression(assignment) = &expression.expression
                        && self.source_of(&assignment.left) == "module.exports"
                    {
                        return self.value(&assignment.right, path, out, depth + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn source_of(&self, spanned: &impl GetSpan) -> &'m str {
        let span = spanned.span();
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// The value of a name of this file: a constant, or something imported from a file beside it.
    fn named(
        &self,
        name: &str,
        path: &mut Vec<String>,
        out: &mut Literals,
        depth: usize,
    ) -> Option<Node> {
        if depth > DEEPEST {
            return None;
        }
        for statement in &self.program.body {
            let declared = match statement {
                Statement::VariableDeclaration(declared) => Some(declared),
                Statement::ExportDeclaration(export) => match &export.declaration {
                    Declaration::VariableDeclaration(declared) => Some(declared),
                    _ => None,
                },
                _ => None,
            };
            if let Some(declared) = declared {
                for variable in &declared.declarations {
                    if is_named(&variable.id, name) {
                        return self.value(variable.init.as_ref()?, path, out, depth + 1);
                    }
                }
            }
            if let Statement::FunctionDeclaration(function) = statement
                && function.id.as_ref().is_some_and(|id| id.name == name)
            {
                return self.function(function.body.as_deref(), path, out, depth + 1);
            }
            if let Statement::ImportDeclaration(import) = statement {
                let wanted =
                    import
                        .specifiers
                        .iter()
                        .flatten()
                        .find_map(|specifier| match specifier {
                            ImportDeclarationSpecifier::ImportSpecifier(specifier)
                                if specifier.local.name == name =>
                            {
                                Some(export_name(&specifier.imported).to_owned())
                            }
                            ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier)
                                if specifier.local.name == name =>
                            {
                                Some("default".to_owned())
                            }
                            _ => None,
                        });
                if let Some(wanted) = wanted {
                    return self.imported(&import.source.value, &wanted, path, out, depth + 1);
                }
            }
        }
        None
    }

    fn imported(
        &self,
        from: &str,
        wanted: &str,
        path: &mut Vec<String>,
        out: &mut Literals,
        depth: usize,
    ) -> Option<Node> {
        if !from.starts_with('.') || depth > DEEPEST {
            return None;
        }
        let (text, name) = (self.import)(self.name, from)?;
        let allocator = Allocator::default();
        if name.ends_with(".json") {
            // A JSON file is an expression of its own.
            let text = format!("export default {text}");
            let parsed = Parser::new(&allocator, &text, SourceType::ts()).parse();
            let module = Module {
                text: &text,
                name: &name,
                program: &parsed.program,
                import: self.import,
            };
            return module.exported("default", path, out, depth);
        }
        let parsed = Parser::new(&allocator, &text, source_type(&name)).parse();
        let module = Module {
            text: &text,
            name: &name,
            program: &parsed.program,
            import: self.import,
        };
        // Lines of another file say nothing here.
        let before = out.unread.len();
        let node = module.exported(wanted, path, out, depth);
        out.unread[before..]
            .iter_mut()
            .for_each(|(_, line)| *line = 0);
        node
    }

    /// The object that a function returns, and the calls in it.
    fn function(
        &self,
        body: Option<&FunctionBody<'m>>,
        path: &mut Vec<String>,
        out: &mut Literals,
        depth: usize,
    ) -> Option<Node> {
        let mut returned = None;
        self.statements(&body?.statements, path, out, depth, &mut returned);
        Some(returned.unwrap_or(Node {
            line: 1,
            value: Value::Map(Vec::new()),
        }))
    }

    fn statements(
        &self,
        statements: &[Statement<'m>],
        path: &mut Vec<String>,
        out: &mut Literals,
        depth: usize,
        returned: &mut Option<Node>,
    ) {
        for statement in statements {
            match statement {
                Statement::ReturnStatement(statement) => {
                    if let Some(argument) = &statement.argument {
                        *returned = self.value(argument, path, out, depth + 1);
                    }
                }
                // What is published is built for production.
                Statement::IfStatement(statement) => {
                    let test = self.source_of(&statement.test);
                    let names_production = test.contains("NODE_ENV") && test.contains("production");
                    let taken = match test.contains("!=") {
                        _ if !names_production => None,
                        true => statement.alternate.as_ref(),
                        false => Some(&statement.consequent),
                    };
                    if let Some(Statement::BlockStatement(block)) = taken {
                        self.statements(&block.body, path, out, depth + 1, returned);
                    }
                }
                Statement::ExpressionStatement(statement) => {
                    if let Expression::CallExpression(call) = &statement.expression {
                        let name = self.source_of(&call.callee);
                        let name = name.split_once('.').map_or(name, |(_, name)| name);
                        let line = self.line(&**call);
                        let arguments = self.arguments(&call.arguments, depth + 1);
                        out.calls.push((name.to_owned(), arguments, line));
                    }
                }
                _ => {}
            }
        }
    }

    /// The arguments that can be read, in order; one that cannot is nothing.
    fn arguments(&self, arguments: &[Argument<'m>], depth: usize) -> Vec<Node> {
        let mut ignored = Literals::default();
        arguments
            .iter()
            .map(|argument| {
                argument
                    .as_expression()
                    .and_then(|it| self.value(it, &mut Vec::new(), &mut ignored, depth))
                    .unwrap_or_else(|| Node::scalar(self.line(argument), "", Scalar::Null))
            })
            .collect()
    }

    fn value(
        &self,
        expression: &Expression<'m>,
        path: &mut Vec<String>,
        out: &mut Literals,
        depth: usize,
    ) -> Option<Node> {
        let found = if depth > DEEPEST {
            None
        } else {
            self.readable(expression, path, out, depth)
        };
        if found.is_none() && !path.is_empty() {
            out.unread.push((path.join("."), self.line(expression)));
        }
        found
    }

    fn readable(
        &self,
        expression: &Expression<'m>,
        path: &mut Vec<String>,
        out: &mut Literals,
        depth: usize,
    ) -> Option<Node> {
        let line = self.line(expression);
        let quiet = |expression: &Expression<'m>| {
            self.readable(
                expression,
                &mut Vec::new(),
                &mut Literals::default(),
                depth + 1,
            )
        };
        Some(match expression {
            Expression::StringLiteral(text) => {
                Node::scalar(line, text.value.as_str(), Scalar::Text)
            }
            Expression::BooleanLiteral(yes) => {
                Node::scalar(line, yes.value.to_string(), Scalar::Boolean(yes.value))
            }
            Expression::NullLiteral(_) => Node::scalar(line, "null", Scalar::Null),
            Expression::NumericLiteral(number) => {
                let text = self.source_of(&**number);
                let kind = match number.value {
                    whole if whole.fract() == 0.0 && whole.abs() < 9e15 => {
                        Scalar::Integer(whole as i64)
                    }
                    other => Scalar::Number(other),
                };
                Node::scalar(line, text, kind)
            }
            Expression::TemplateLiteral(template) => {
                let mut text = String::new();
                for (at, piece) in template.quasis.iter().enumerate() {
                    text.push_str(piece.value.cooked.as_ref()?.as_str());
                    if let Some(expression) = template.expressions.get(at) {
                        text.push_str(quiet(expression)?.text()?);
                    }
                }
                Node::scalar(line, text, Scalar::Text)
            }
            Expression::ArrayExpression(array) => {
                let mut items = Vec::with_capacity(array.elements.len());
                for (at, element) in array.elements.iter().enumerate() {
                    path.push(at.to_string());
                    let node = match element {
                        ArrayExpressionElement::SpreadElement(spread) => {
                            match self.value(&spread.argument, path, out, depth + 1) {
                                Some(Node {
                                    value: Value::List(more),
                                    ..
                                }) => items.extend(more),
                                _ => out.unread.push((path.join("."), self.line(&**spread))),
                            }
                            None
                        }
                        other => other
                            .as_expression()
                            .and_then(|it| self.value(it, path, out, depth + 1)),
                    };
                    path.pop();
                    items.extend(node);
                }
                Node {
                    line,
                    value: Value::List(items),
                }
            }
            Expression::ObjectExpression(object) => {
                let mut map: Vec<Entry> = Vec::with_capacity(object.properties.len());
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::ObjectProperty(property) => {
                            let Some(key) = key_of(&property.key).or_else(|| match &property.key {
                                PropertyKey::StaticIdentifier(_) => None,
                                computed => {
                                    Some(quiet(computed.as_expression()?)?.text()?.to_owned())
                                }
                            }) else {
                                out.unread.push((path.join("."), self.line(&**property)));
                                continue;
                            };
                            path.push(key.clone());
                            if let Some(node) = self.value(&property.value, path, out, depth + 1) {
                                map.push(Entry {
                                    line: self.line(&**property),
                                    key,
                                    node,
                                });
                            }
                            path.pop();
                        }
                        ObjectPropertyKind::SpreadProperty(spread) => {
                            match self.readable(&spread.argument, path, out, depth + 1) {
                                Some(Node {
                                    value: Value::Map(more),
                                    ..
                                }) => map.extend(more),
                                _ => out.unread.push((with(path, "…"), self.line(&**spread))),
                            }
                        }
                    }
                }
                Node {
                    line,
                    value: Value::Map(map),
                }
            }
            Expression::Identifier(name) => self.named(&name.name, path, out, depth + 1)?,
            Expression::ParenthesizedExpression(inner) => {
                self.readable(&inner.expression, path, out, depth + 1)?
            }
            Expression::TSAsExpression(inner) => {
                self.readable(&inner.expression, path, out, depth + 1)?
            }
            Expression::TSSatisfiesExpression(inner) => {
                self.readable(&inner.expression, path, out, depth + 1)?
            }
            Expression::TSNonNullExpression(inner) => {
                self.readable(&inner.expression, path, out, depth + 1)?
            }
            Expression::AwaitExpression(inner) => {
                self.readable(&inner.argument, path, out, depth + 1)?
            }
            // `host + '/docs/'`.
            Expression::BinaryExpression(sum) if sum.operator.as_str() == "+" => {
                let (left, right) = (quiet(&sum.left)?, quiet(&sum.right)?);
                let of_text = |node: &Node| {
                    matches!(
                        &node.value,
                        Value::Scalar {
                            kind: Scalar::Text,
                            ..
                        }
                    )
                };
                if !of_text(&left) && !of_text(&right) {
                    return None;
                }
                Node::scalar(
                    line,
                    format!("{}{}", left.text()?, right.text()?),
                    Scalar::Text,
                )
            }
            // `versions[0]` and `links.docs`, of what can be read.
            Expression::ComputedMemberExpression(member) => {
                let of = quiet(&member.object)?;
                let key = quiet(&member.expression)?;
                member_of(of, key.text()?)?
            }
            Expression::StaticMemberExpression(member) => {
                member_of(quiet(&member.object)?, &member.property.name)?
            }
            // `process.env.SITE || 'https://x.dev'`: what holds when nothing is set.
            Expression::LogicalExpression(logical) => quiet(&logical.left)
                .filter(|left| !left.is_blank())
                .or_else(|| quiet(&logical.right))?,
            Expression::ArrowFunctionExpression(function) => match &function.body {
                ArrowFunctionBody::FunctionBody(body) if path.is_empty() => {
                    self.function(Some(body), path, out, depth + 1)?
                }
                body => self.readable(body.as_expression()?, path, out, depth + 1)?,
            },
            Expression::FunctionExpression(function) if path.is_empty() => {
                self.function(function.body.as_deref(), path, out, depth + 1)?
            }
            Expression::CallExpression(call) => {
                let name = self.source_of(&call.callee).to_owned();
                // At the top a call wraps the configuration, and `defineConfig({…})` does so anywhere.
                if path.is_empty() || name.starts_with("define") {
                    return call
                        .arguments
                        .iter()
                        .filter_map(Argument::as_expression)
                        .find_map(|it| {
                            self.readable(it, path, out, depth + 1)
                                .filter(|node| matches!(node.value, Value::Map(_)))
                        });
                }
                if !name.starts_with(|c: char| c.is_ascii_alphabetic())
                    || name.contains(['(', '\n'])
                {
                    return None;
                }
                let mut arguments = Vec::new();
                for (at, argument) in call.arguments.iter().enumerate() {
                    path.push(format!("{name}({at})"));
                    let node = argument
                        .as_expression()
                        .and_then(|it| self.value(it, path, out, depth + 1));
                    path.pop();
                    arguments.push(node.unwrap_or_else(|| Node::scalar(line, "", Scalar::Null)));
                }
                let entry = |key: &str, node| Entry {
                    line,
                    key: key.to_owned(),
                    node,
                };
                Node {
                    line,
                    value: Value::Map(vec![
                        entry(CALL, Node::scalar(line, name, Scalar::Text)),
                        entry(
                            ARGUMENTS,
                            Node {
                                line,
                                value: Value::List(arguments),
                            },
                        ),
                    ]),
                }
            }
            _ => return None,
        })
    }
}

/// The item of a list or the value of a table's key.
fn member_of(node: Node, key: &str) -> Option<Node> {
    match node.value {
        Value::List(mut items) => {
            let at: usize = key.parse().ok()?;
            (at < items.len()).then(|| items.swap_remove(at))
        }
        Value::Map(map) => map
            .into_iter()
            .rev()
            .find(|entry| entry.key == key && key != CALL)
            .map(|entry| entry.node),
        Value::Scalar { .. } => None,
    }
}

fn with(path: &[String], last: &str) -> String {
    let mut text = path.join(".");
    if !text.is_empty() {
        text.push('.');
    }
    text + last
}

fn is_named(pattern: &BindingPattern<'_>, name: &str) -> bool {
    matches!(pattern, BindingPattern::BindingIdentifier(id) if id.name == name)
}

fn export_name<'a>(name: &'a ModuleExportName<'_>) -> &'a str {
    match name {
        ModuleExportName::IdentifierName(name) => name.name.as_str(),
        ModuleExportName::IdentifierReference(name) => name.name.as_str(),
        ModuleExportName::StringLiteral(text) => text.value.as_str(),
    }
}

fn key_of(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
        PropertyKey::NumericLiteral(number) => Some(number.value.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::value::find_path;

    fn read(text: &str) -> Literals {
        literals(text, "site.config.ts", &|_, from| match from {
            "./locales" => Some((
                "export const locales = { en: { label: 'English' } } as const".into(),
                "locales.ts".into(),
            )),
            "./versions.json" => Some(("[\"2.0\", \"1.0\"]".into(), "versions.json".into())),
            _ => None,
        })
        .unwrap()
    }

    fn text(literals: &Literals, path: &str) -> Option<String> {
        Some(find_path(&literals.map, path)?.node.text()?.to_owned())
    }

    #[test]
    fn wrappers_names_and_imports_are_followed() {
        let found = read(
            "import { defineConfig } from 'x'\nimport { locales } from './locales'\nimport versions from './versions.json'\n\
             const title: string = 'Tea'\nconst base = process.env.BASE || `/${title}/`\n\
             const config = defineConfig({ title, base, locales, versions, nested: { deep: [1, 'two', true] } })\n\
             export default withMermaid(config)\n",
        );
        assert_eq!(text(&found, "title").as_deref(), Some("Tea"));
        assert_eq!(text(&found, "base").as_deref(), Some("/Tea/"));
        assert_eq!(text(&found, "locales.en.label").as_deref(), Some("English"));
        let versions = find_path(&found.map, "versions").unwrap();
        assert!(matches!(&versions.node.value, Value::List(items) if items.len() == 2));
        assert_eq!(found.unread, []);
    }

    #[test]
    fn what_would_have_to_run_is_named() {
        let found = read(
            "module.exports = {\n  url: readUrl(),\n  base: a ? b : c,\n  title: 'x',\n  ...rest,\n}\n",
        );
        assert_eq!(text(&found, "title").as_deref(), Some("x"));
        assert_eq!(text(&found, "url.$call").as_deref(), Some("readUrl"));
        assert_eq!(found.unread, [("base".into(), 3), ("…".into(), 5)]);
    }

    #[test]
    fn calls_in_lists_keep_their_arguments() {
        let found = read("export default { integrations: [mdx(), starlight({ title: 'Docs' })] }");
        let list = &find_path(&found.map, "integrations").unwrap().node;
        let Value::List(items) = &list.value else {
            panic!("{list:?}")
        };
        let Value::Map(call) = &items[1].value else {
            panic!()
        };
        assert_eq!(
            find_path(call, CALL).unwrap().node.text(),
            Some("starlight")
        );
    }

    #[test]
    fn a_function_is_read_for_what_it_returns_and_calls() {
        let found = read(
            "export default async function (eleventyConfig) {\n  eleventyConfig.setInputDirectory('src');\n  eleventyConfig.ignores.add('x/**');\n  return { dir: { input: 'views' } }\n}\n",
        );
        assert_eq!(text(&found, "dir.input").as_deref(), Some("views"));
        let calls: Vec<(&str, Option<&str>)> = found
            .calls
            .iter()
            .map(|(name, arguments, _)| (name.as_str(), arguments[0].text()))
            .collect();
        assert_eq!(
            calls,
            [
                ("setInputDirectory", Some("src")),
                ("ignores.add", Some("x/**"))
            ]
        );
        let found = read("module.exports = (c) => ({ dir: { input: 'a' } })");
        assert_eq!(text(&found, "dir.input").as_deref(), Some("a"));
    }

    #[test]
    fn members_of_what_can_be_read_are_read() {
        let found = read(
            "import versions from './versions.json'\nconst last = versions[0]\nconst host = 'https://'\nconst at = { site: { url: host + 'x.dev' } }\n\
             export default { last, url: at.site.url, env: process.env.X, versions: { [last]: { path: 'a' } } }",
        );
        assert_eq!(text(&found, "last").as_deref(), Some("2.0"));
        assert_eq!(text(&found, "url").as_deref(), Some("https://x.dev"));
        let Value::Map(versions) = &find_path(&found.map, "versions").unwrap().node.value else {
            panic!()
        };
        assert_eq!(versions[0].key, "2.0");
        assert_eq!(found.unread, [("env".into(), 5)]);
    }

    #[test]
    fn front_matter_in_javascript_was_read_as_text() {
        let map = exported("const title = \"Tea\";\nlet draft = true;\nfunction f() {}\n");
        assert_eq!(find_path(&map, "title").unwrap().node.text(), Some("Tea"));
        assert!(find_path(&map, "draft").is_some());
        let map = exported("{ title: 'a', date: now() }");
        assert_eq!(find_path(&map, "title").unwrap().node.text(), Some("a"));
        assert!(exported("{{{").is_empty());
    }

    #[test]
    fn a_name_that_means_itself_ends() {
        let found = read("const a = b; const b = a; export default { a }");
        assert!(found.map.is_empty());
    }
}
