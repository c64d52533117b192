//! The flow of ksef, which knows the names of the environments and no other address.

mod steps;

use chrono::{Duration, Utc};
use ksef::error::ErrorResponse;
use ksef::invoice::{DateRange, DateType, InvoiceQueryFilters, InvoiceSubjectType, SortOrder, SystemCode};
use ksef::{Client, CompanyInfo, Environment};
use steps::{expect_equal, invoices, report, setting};

fn text(error: ErrorResponse) -> String {
    format!("{}; {}", error.code, error.message)
}

async fn login(client: &Client) -> Result<String, String> {
    let company = CompanyInfo { ksef_token: setting("ASSAY_TOKEN"), nip: setting("ASSAY_NIP") };
    Ok(client.get_access_tokens(&company).await.map_err(text)?.access_token.token)
}

async fn send(client: &Client, access: &String, invoice: &String) -> Result<(), String> {
    let keys = client.get_encryption_data().await.map_err(str::to_string)?;
    let session = client.open_online_session(&keys, access, &SystemCode::FA3).await.map_err(text)?;
    let reference = session.reference_number;
    client.send_invoice(&reference, access, &keys, invoice).await.map_err(text)?;
    let status = client.get_online_session_status(&reference, access).await.map_err(text)?;
    expect_equal(status.successful_invoice_count.unwrap_or(0), 1, "accepted invoices")?;
    client.close_online_session(&reference, access).await.map_err(text)
}

async fn send_batch(client: &Client, access: &String, invoice: &str) -> Result<(), String> {
    let packed = vec![("a.xml".to_string(), invoice.to_string())];
    let (session, status) =
        client.send_invoice_batch(access, &SystemCode::FA3, &packed, 1).await.map_err(text)?;
    expect_equal(status.successful_invoice_count.unwrap_or(0), 1, "accepted invoices")?;
    let receipts = status.upo.map(|upo| upo.pages).unwrap_or_default();
    let receipt = receipts.first().ok_or("the session has no receipt")?;
    client.get_session_upo(&session, &receipt.reference_number, access).await.map_err(text)?;
    Ok(())
}

async fn query(client: &Client, access: &String) -> Result<(), String> {
    let filters = InvoiceQueryFilters {
        subject_type: InvoiceSubjectType::Subject1,
        date_range: DateRange {
            from: Utc::now() - Duration::days(30),
            to: Some(Utc::now()),
            date_type: DateType::Invoicing,
            restrict_to_permanent_storage_hwm_date: None,
        },
    };
    client.query_invoice_metadata(&filters, access, 0, 10, SortOrder::Asc).await.map_err(text)?;
    Ok(())
}

#[tokio::main]
async fn main() {
    let sent = invoices();
    let client = Client::new(Environment::Test, 100);
    let Some(access) = report("login by token", login(&client).await) else { return };
    report("invoice", send(&client, &access, &sent[0]).await);
    report("batch", send_batch(&client, &access, &sent[1]).await);
    report("query", query(&client, &access).await);
}
