//! The AWS Lambda function.

fn main() {}
