//! The flow of ksef-client.

mod steps;

use ksef_client::invoices::InvoicePayload;
use ksef_client::prelude::*;
use ksef_client::secrecy::Secret;
use ksef_client::tokens::KsefToken;
use ksef_client::upo::InvoiceIdentifier;
use ksef_client::{auth::SubjectIdentifierType, KsefError};
use steps::{expect_equal, invoices, report, setting};

fn text(error: KsefError) -> String {
    error.to_string()
}

fn new_client() -> KsefClient {
    let context = ContextIdentifier { id_type: ContextIdentifierType::Nip, value: setting("ASSAY_NIP") };
    KsefClient::new_with_base(&setting("ASSAY_ORIGIN"), context)
}

async fn login_by_token(client: &mut KsefClient) -> Result<(), String> {
    client.load_ksef_token(KsefToken {
        token: Secret::new(setting("ASSAY_TOKEN")),
        context_type: Some(ContextIdentifierType::Nip),
        context_value: Some(setting("ASSAY_NIP")),
        ..Default::default()
    });
    client.authenticate_by_ksef_token().await.map_err(text)?;
    expect_equal(client.get_auth_status().await.map_err(text)?, true, "login")
}

/// With the certificate that the client makes for itself.
async fn login_by_certificate() -> Result<(), String> {
    let mut client = new_client();
    let request =
        client.get_auth_token_request(SubjectIdentifierType::CertificateSubject).await.map_err(text)?;
    client
        .xades
        .gen_selfsign_cert("Jan", "Nowak", "TINPL", &setting("ASSAY_NIP"), "Jan Nowak")
        .map_err(|error| error.to_string())?;
    let signed = client.xades.sign(&request.to_xml()).map_err(text)?;
    client.authenticate_by_xades_signature(signed).await.map_err(text)?;
    expect_equal(client.get_auth_status().await.map_err(text)?, true, "login")
}

/// @returns the number of the accepted invoice
async fn send(client: &KsefClient, invoice: &str) -> Result<String, String> {
    let sent = client.submit_online(invoice.as_bytes(), None, None, None).await.map_err(text)?;
    let session = sent.session_reference_number;
    let found = client
        .get_invoice_status(session.clone(), sent.invoice_reference_number)
        .await
        .map_err(text)?;
    expect_equal(found.invoice_status.code, 200, "status of the invoice")?;
    let number = found.ksef_number.ok_or("the accepted invoice has no number")?;
    client
        .get_invoice_upo(session, InvoiceIdentifier::KsefNumber(number.clone()))
        .await
        .map_err(text)?;
    Ok(number)
}

#[tokio::main]
async fn main() {
    let sent = invoices();
    let mut client = new_client();
    report("login by token", login_by_token(&mut client).await);
    report("login by certificate", login_by_certificate().await);
    if let Some(number) = report("invoice", send(&client, &sent[0]).await) {
        let fetched = client.fetch_invoice(KsefNumber::new(number)).await;
        report("download", fetched.map_err(text));
    }
    let packed = [InvoicePayload { filename: "a.xml".to_string(), content: sent[1].clone().into_bytes() }];
    report("batch", client.submit_batch(&packed, None, None, None, None).await.map_err(text));
    report("providers", client.get_peppol_providers(None, None).await.map_err(text));
}
